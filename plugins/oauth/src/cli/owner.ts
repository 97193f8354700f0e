/** Whose logins those of a command line are, where nobody else is named. */
export const LOCAL_OWNER = 'local';
