/** An expected failure of a command. Its message is all that a person needs. */
export class CommandError extends Error {}
