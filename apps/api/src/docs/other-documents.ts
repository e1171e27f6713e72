/** What is made of the contract besides the OpenAPI 3.1 description, beside which each is served by its file. */
export const otherDocuments = [
  { file: 'public-v1-3.0.json', name: 'OpenAPI 3.0', about: 'the same for tools that do not read 3.1' },
  {
    file: 'public-v1-2.0.json',
    name: 'Swagger 2.0',
    about: 'the same for custom connectors of Power Platform, whose trigger is a REST hook',
  },
  { file: 'asyncapi.yaml', name: 'AsyncAPI 3', about: 'every event and the hooks that receive them' },
  {
    file: 'postman.json',
    name: 'Postman 2.1',
    about: 'every operation as a collection that runs from top to bottom; set its variable key',
  },
] as const;
