/**
 * Whether a screen tells by itself that the session has ended, so that no toast has to. The screens of RequireUser (see
 * Screens.tsx) lead to the login, which gives the reason. After a new password /reset leads there, too.
 */
export const tellsSessionEnd = (pathname: string) => /^\/(category|dashboard|login|reset)\b/.test(pathname);
