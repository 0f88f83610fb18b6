// The specification's words.
export const login = "Login";
export const signUp = "Sign Up";
export const name = "Name";
export const email = "Email";
export const password = "Password";
export const emailRequired = "Email Address is required";
export const passwordRequired = "Password is required";
export const passwordShort = "Password must be atleast 6 characters or longer";
export const signedIn = "SignIn Successful";
export const userCreated = "User Created Successfully";
export const user = "User";
export const seller = "Seller";

export const nameRequired = "Name is required";
export const accountType = "Account type";
export const accountTypeHint = "Users buy phones, sellers list them.";
export const accountTypeRequired = "Account type is required";
/** The first, empty choice of a list. */
export const choose = "Choose…";
export const newHere = "New to SecondRing? <link>Create an account</link>";
export const notNewHere = "Already have an account? <link>Log in</link>";

/** Beside the forms on a wide screen. */
export const welcomeLive = "Sell and Buy Used Phones, live";
export const welcome = "One market for buyers and sellers";
export const welcomeLead =
  "Buyers book a phone and pay by card. Sellers list a phone in two minutes and see it sell live.";

/** Between the form and the button for Google. */
export const or = "or";
export const google = "Continue with Google";
/** To those who came to sell. */
export const googleBuys = "Google makes a buyer account. To sell, fill in the form above.";
export const linkTitle = "Link your Google account";
export const linkLead =
  "This Google address already has a SecondRing account. Confirm your password once to link the two; " +
  "from then on you can log in either way.";
export const linkConfirm = "Confirm and link";

/** Why a sign-in with Google failed. */
export const googleFailed = "Google sign-in failed. Please try again.";
export const googleDenied = "Google sign-in was cancelled. Try again, or use your password.";
export const googleExpired = "Google sign-in took too long. Please try again.";
export const googleUnverified =
  "Google has not verified this address yet. Verify it with Google, or use a password.";
export const googleUnavailable = "Google can't be reached right now. Please try again, or use your password.";
export const googleOther = "This address is already linked to another Google account.";
export const accountRemoved = "This account was removed by an admin.";

export const demoLogins = "Demo logins: tap one to fill the form";
/** The demo's people. */
export const demoAdmin = "Admin";
export const demoSellerVerified = "Verified seller";
export const demoSeller = "Seller";
export const demoBuyer = "Buyer";
export const demoBuyer2 = "Second buyer";

export const serverNotTold =
  "You are logged out on this device, but we couldn't reach the server. Please try again later.";
