/** A phone's condition, by the API's word for it. */
export const condition = { Excellent: "Excellent", Good: "Good", Fair: "Fair" };
