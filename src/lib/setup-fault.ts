/** Something the person who runs this has to mend before it can start: the message says what. The process ends with 78. */
export class SetupFault extends Error {}
