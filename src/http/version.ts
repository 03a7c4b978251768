/** Version of the HTTP interface; the program has its own version. */
export const interfaceVersion = '0.1.0';
