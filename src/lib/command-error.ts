/** An expected failure of a command. Its message is all that a person needs. */
export class CommandError extends Error {}

/** One that may pass: what was done is kept, and the same command continues it. */
export class PassingError extends CommandError {}
