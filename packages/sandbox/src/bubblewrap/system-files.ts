/** Directories that hold the system's own programs and libraries. Where one is a link, as since distributions merged them into /usr, it stays one. */
export const SYSTEM_DIRECTORIES: readonly string[] = [
	"/usr",
	"/bin",
	"/sbin",
	"/lib",
	"/lib32",
	"/lib64",
	"/libx32",
	"/nix/store",
	"/gnu/store",
	"/run/current-system",
];

/** One file or directory of /etc that scripts may see. */
export interface SystemFile {
	readonly path: string;
	/** Who needs it. */
	readonly why: string;
	/** Only where the grant has the network. */
	readonly network?: true;
}

/**
 * As few as bash, sh, python3, node, git, ruby and perl start with, and what names and certificates on the network take. Not all of
 * /etc/ssl and /etc/pki: they hold private keys too, which a host that runs as root could read.
 */
export const SYSTEM_FILES: readonly SystemFile[] = [
	{ path: "/etc/ld.so.cache", why: "the loader finds libraries outside of the standard directories" },
	{ path: "/etc/localtime", why: "the time zone" },
	{ path: "/etc/alternatives", why: "Debian's links to the chosen one of several programs, such as awk" },
	{ path: "/etc/hosts", why: "localhost" },
	{ path: "/etc/resolv.conf", why: "name servers", network: true },
	{ path: "/etc/nsswitch.conf", why: "where names are looked up", network: true },
	{ path: "/etc/host.conf", why: "where names are looked up", network: true },
	{ path: "/etc/gai.conf", why: "which of several addresses comes first", network: true },
	{ path: "/etc/services", why: "ports by name", network: true },
	{ path: "/etc/ssl/certs", why: "certificate authorities", network: true },
	{ path: "/etc/ssl/openssl.cnf", why: "settings of OpenSSL", network: true },
	{ path: "/etc/ca-certificates", why: "certificate authorities", network: true },
	{ path: "/etc/pki/tls/certs", why: "certificate authorities", network: true },
	{ path: "/etc/pki/ca-trust/extracted", why: "certificate authorities", network: true },
	{ path: "/etc/crypto-policies", why: "settings of OpenSSL that others include", network: true },
];
