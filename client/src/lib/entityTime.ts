/** When the entity with this _id was created, in milliseconds since 1970: the first 12 of its 24 hex digits. */
export const createdAt = (id: string): number => Number.parseInt(id.slice(0, 12), 16);
