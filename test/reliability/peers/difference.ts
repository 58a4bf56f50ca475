/** Thrown if the nodes behave differently. The text contains the steps so far and both results. */
export class Difference extends Error {}
