export { evaluateProfile, type ProfileDecision, type ProfileEvaluator } from "./evaluate-profile.js";
export { ProfileError, type ProfileErrorCode } from "./profile-error.js";
export type { ProcessTarget, ProfileQuery, VnodeType } from "./query.js";
