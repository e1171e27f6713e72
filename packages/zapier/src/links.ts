/** The page that the help texts of the editor point to. */
export const documentation = 'https://dealkeep.example/docs/zapier';
