/** The database of the product on the embedded server. */
export const databaseName = 'toprung';
