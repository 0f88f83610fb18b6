/** The reasons that the admins keep to use them again. */
export const kept = "Kept reasons";
export const keepThis = "Keep this reason";
export const letGo = "Remove";
export const letGoOf = (text: string) => `Remove the kept reason: ${text}`;
