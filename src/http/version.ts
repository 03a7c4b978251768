/** The version of the HTTP interface, which is not that of the program. */
export const interfaceVersion = '0.1.0';
