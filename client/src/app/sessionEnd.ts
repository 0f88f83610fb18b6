/**
 * Whether the screen at this path says that the session has ended, so that no toast is needed. The screens of RequireUser
 * (see Screens.tsx) redirect to the login, which gives the reason, and so does /reset after a new password.
 */
export const tellsSessionEnd = (pathname: string) => /^\/(category|dashboard|login|reset)\b/.test(pathname);
