/**
 * An error of the setup that the user must fix before the start; the message says how. The process
 * exits with 78.
 */
export class SetupError extends Error {}
