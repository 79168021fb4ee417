/**
 * A configuration error that the user must fix before the start; its message says how. The process
 * exits with 78.
 */
export class SetupError extends Error {}
