/** Validation of the sign-in and sign-up forms; the words are the specification's. */
export const rules = {
  email: { required: "Email Address is required" },
  password: {
    required: "Password is required",
    minLength: { value: 6, message: "Password must be atleast 6 characters or longer" },
  },
  name: { required: "Name is required" },
  accountType: { required: "Account type is required" },
} as const;
