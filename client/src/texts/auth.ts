export {
  account as toAccount,
  confirmEmail as confirmTitle,
  contact as contactUs,
  forgotPassword as forgotTitle,
  login,
  resetPassword as resetTitle,
  setup as setupTitle,
  signUp,
} from "./screenNames";

// The specification's words.
export const name = "Name";
export const email = "Email";
export const password = "Password";
export const emailRequired = "Email Address is required";
export const passwordRequired = "Password is required";
export const passwordShort = "Password must be atleast 6 characters or longer";
export const signedIn = "SignIn Successful";
export const userCreated = "User Created Successfully";
/** The account types: the specification's words, and what they are for. */
export const accountTypes = {
  User: "User: I want to buy",
  Seller: "Seller: I want to sell, and buy",
} as const;

export const nameRequired = "Name is required";
export const accountType = "Account type";
export const accountTypeRequired = "Account type is required";
/** The first, empty choice of a list. */
export const choose = "Choose…";
export const newHere = "New to SecondRing? <link>Create an account</link>";
export const notNewHere = "Already have an account? <link>Log in</link>";

/** Beside the forms on a wide screen. */
export const welcomeLive = "Sell and Buy Used Phones, live";
export const welcome = "One place for buyers and sellers";

/** The link on the login, and the way back from there. */
export const forgot = "Forgot password?";
export const backToLogin = "Back to the <link>login</link>";

export const forgotLead =
  "Enter the email address of your account. We will send you a link to choose a new password.";
export const sendLink = "Send link";
/** The same whether there is an account or not. */
export const linkSent =
  "If there is an account with this email, we've sent a link to choose a new password. It works for 30 minutes.";
export const sentTo = "Email: {email}";
export const sendAgain = "Send again";
export const sentAgain = "Please check your inbox again. Only the newest link works.";
export const otherEmail = "Use another email";
/** Where no email is sent. */
export const noEmail =
  "We can't send email at the moment, so you can't get a link. Please contact us, and we will help you log in again.";
/** The same where no contact is set. */
export const noEmailNoContact =
  "We can't send email at the moment, so you can't get a link. Please ask the people who run this site to help you log in again.";

export const newPassword = "New password";
export const savePassword = "Save password";
export const passwordReset = "Your password has been changed. Please log in.";
export const linkGone = "This link has been used or has expired.";
export const newLink = "Send a new link";

export const confirmLead = "Press the button to confirm that this email address is yours.";
export const confirmNewLead =
  "Press the button to use this email address for your account. Your other devices are signed out.";
export const confirmAction = "Confirm your address";
export const emailConfirmed = "Your email address is confirmed.";
/** After the link to another address was opened. */
export const emailChanged =
  "Your account now uses this email address. Log in with it from now on. Your other devices have been signed out.";
export const emailLinkGone =
  "This link has been used or has expired. You can change your email again in your account.";
export const continueShopping = "Continue shopping";
/** Takes back what someone else has changed in the account. */
export const giveBack = {
  undo: {
    title: "Change your email back",
    lead:
      "Your account gets this email address back. Every device is signed out, the password no longer works, and we send " +
      "you a link to choose a new one.",
    action: "Change it back",
    done: "Your account uses this email address again. We've sent you a link to choose a new password.",
  },
  "second-factor": {
    title: "Switch two-step login off",
    lead:
      "Logging in no longer takes a code. Every device is signed out, the password no longer works, and we send you a " +
      "link to choose a new one.",
    action: "Switch it off",
    done: "Two-step login is off. We've sent you a link to choose a new password.",
  },
};
export const giveBackGone =
  "This link has been used or has expired: it worked for a week. Please contact us.";
export const logInForLink = "Log in to get a new link";

/** Between the form and the button for Google. */
export const or = "or";
export const google = "Continue with Google";
export const linkTitle = "Link your Google account";
export const linkLead =
  "This Google address already has a SecondRing account. Enter the password of that account once to link the two. " +
  "After that you can log in either way.";
export const linkConfirm = "Confirm and link";

/** Of every form that begins a session. */
export const cookiesBlocked =
  "This browser blocks cookies, and without them you cannot be logged in. Allow cookies for this site in the browser's settings, and try again.";
/** Why a sign-in with Google failed. */
export const googleFailed = "Google sign-in failed. Please try again.";
export const googleDenied = "Google sign-in was cancelled. Try again, or use your password.";
export const googleExpired = "Google sign-in took too long. Please try again.";
export const googleUnverified =
  "Google has not confirmed this address yet. Confirm it at Google, or use a password.";
export const googleUnavailable = "Google can't be reached right now. Please try again, or use your password.";
export const googleOther = "This address is already linked to another Google account.";
export const accountClosed =
  "We have closed this account. The letter that we sent you says why, and how to ask us to look again.";
export const accountRemoved = "This account was deleted by an admin.";

export const demoLogins = "Demo logins: tap one to fill the form";
/** The demo's people. */
export const demoAdmin = "Admin";
export const demoSellerVerified = "Verified seller";
export const demoSeller = "Seller";
export const demoBuyer = "Buyer";
export const demoBuyer2 = "Second buyer";

/** The first admin. */
export const setupLead = "Create the admin's account. This link works once.";
export const setupDone = "You are the admin now";
export const createAdmin = "Create admin";
export const setupGone =
  "This link has been used or has expired. If there is no admin yet, restart the server to get another one. If you are the admin, log in.";

/** The second step of a login. */
export const codeTitle = "Enter your code";
export const code = "Code";
export const codeHint = "Six digits from your authenticator app, or one of your recovery codes";
export const codeRequired = "The code is required";
export const codeBack = "Use another account";
