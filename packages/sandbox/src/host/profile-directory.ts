/** What the names of the directories start with that profiles lie in while a script runs. No script sees into one. */
export const PROFILE_DIRECTORY_PREFIX = "robot-lab-seatbelt-";
