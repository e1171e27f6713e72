/** The page that the help texts of the editor point to. */
export const documentation = 'https://github.com/dealkeep/dealkeep/blob/main/docs/zapier.md';
