export { AddProductPage, type NewPhone, type Photograph } from "./AddProductPage";
export { CategoryPage } from "./CategoryPage";
export { Dashboard } from "./Dashboard";
export { BookingDialog, ConfirmDialog, ReportDialog } from "./dialogs";
export { HomePage } from "./HomePage";
export { LoginPage } from "./LoginPage";
export { cards, PaymentPage } from "./PaymentPage";
export { SignUpPage } from "./SignUpPage";
export { Site } from "./Site";
