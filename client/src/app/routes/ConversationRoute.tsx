import { useParams } from "react-router-dom";
import { Conversation } from "@/features/messages/Conversation";

/** One conversation, beside the list of all. */
export default function ConversationRoute() {
  const { id = "" } = useParams();
  return <Conversation key={id} id={id} />;
}
