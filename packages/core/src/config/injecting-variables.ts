const NAMES: ReadonlySet<string> = new Set([
	...["BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "ZDOTDIR", "FPATH"],
	...["NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE"],
	...["PYTHONSTARTUP", "PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONPLATLIBDIR", "PYTHONPYCACHEPREFIX", "PYTHONEXECUTABLE"],
	...["PYTHONBREAKPOINT", "PYTHONWARNINGS"],
	...["RUBYOPT", "RUBYLIB", "RUBYSHELL", "RUBYGEMS_GEMDEPS", "GEM_HOME", "GEM_PATH", "BUNDLE_GEMFILE"],
	...["PERL5OPT", "PERL5LIB", "PERLLIB", "PERL5DB", "PERL5SHELL"],
	...["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"],
	...["LUA_INIT", "LUA_PATH", "LUA_CPATH", "PHPRC", "PHP_INI_SCAN_DIR", "R_PROFILE", "R_PROFILE_USER", "R_ENVIRON", "R_ENVIRON_USER"],
	...["DOTNET_STARTUP_HOOKS", "PSModulePath", "MAKEFILES"],
	...["OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES", "GCONV_PATH", "GLIBC_TUNABLES", "LESSOPEN", "LESSCLOSE"],
	...["SSH_AUTH_SOCK", "SSH_ASKPASS", "GPG_AGENT_INFO"],
]);
/** The same, where every name of a kind is. */
const KIND = /^(BASH_FUNC_|LD_|DYLD_|GIT_|LUA_(INIT|PATH|CPATH)_|COR(ECLR)?_PROFILER|npm_config_(node_options|script_shell)$)/i;

/** Whether whoever sets this environment variable chooses code that programs load, or a helper they talk to. No confined script gets one. */
export function isInjectingVariable(name: string): boolean {
	return NAMES.has(name) || KIND.test(name);
}
