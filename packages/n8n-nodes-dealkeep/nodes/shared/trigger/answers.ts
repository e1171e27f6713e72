/** What a delivery that was accepted is answered with; Dealkeep shows it in the log of deliveries. */
export const answers = {
  started: 'Started the workflow',
  notChosen: 'Filtered out',
  repeated: 'Received before',
  later: 'Comes behind what was missed',
};
