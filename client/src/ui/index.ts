/** The primitives; none of them knows the market. */
export { AnnouncerProvider, useAnnounce } from "@/ui/Announcer";
export { Badge } from "@/ui/Badge";
export { Button, buttonClass } from "@/ui/Button";
export { ConfirmDialog } from "@/ui/ConfirmDialog";
export { cx } from "@/ui/cx";
export { Dialog } from "@/ui/Dialog";
export { Field, FileField, Select, Textarea } from "@/ui/Field";
export { IconButton } from "@/ui/IconButton";
export { ListTable } from "@/ui/ListTable";
export { LoadMore } from "@/ui/LoadMore";
export { Avatar, Picture } from "@/ui/Picture";
export { Skeleton, Spinner } from "@/ui/Spinner";
export { EmptyState, ErrorState } from "@/ui/States";
export { StillGrid } from "@/ui/StillGrid";
export { type Column, Table } from "@/ui/Table";
export { TimeLeft } from "@/ui/TimeLeft";
export { ToastProvider, useToast } from "@/ui/Toast";
export { useTheme } from "@/ui/theme";
