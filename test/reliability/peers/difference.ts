/** Thrown if the nodes behave differently. Contains the steps and both results. */
export class Difference extends Error {}
