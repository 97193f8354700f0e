/** What a person said before in a conversation, and what the run of that turn answered. */
export interface EarlierTurn {
  readonly message: string;
  readonly answer: string;
}
