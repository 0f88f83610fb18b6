import { expect, it } from "vitest";
import { anEvent, aProduct, aWait } from "@/testing/factories";
import { announcementOf } from "./announce";

it("announces a person's place on a waitlist in place of the change of its phone, and nothing when it ends", () => {
  const phone = aProduct({ booked: true });
  const booked = anEvent(`brand:${phone.id}`, "product.booked", phone);
  const moved = anEvent("me", "waitlist.changed", aWait({ productID: phone._id, position: 2 }));
  const ended = anEvent("me", "waitlist.changed", { _id: moved.data._id, version: 9 });
  expect(announcementOf([booked, moved])).toBe("You are 2nd in line for iPhone 6");
  expect(announcementOf([ended])).toBeNull();
});
