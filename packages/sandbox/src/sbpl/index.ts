export { evaluateProfile, type ProfileDecision, type ProfileEvaluator, type ProfileOptions } from "./evaluate-profile.js";
export { ProfileError, type ProfileErrorCode } from "./profile-error.js";
export type { ProcessTarget, ProfileQuery, VnodeType } from "./query.js";
export type { ProfileParams } from "./text-expressions.js";
