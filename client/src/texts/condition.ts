/** A phone's condition, by the API's word for it. */
export const condition = { Excellent: "Excellent", Good: "Good", Fair: "Fair" };
/** What each condition means: what one sees at arm's length. */
export const conditionMeans = {
  Excellent: "No marks at arm's length",
  Good: "Small marks at arm's length",
  Fair: "Clear marks at arm's length",
};
