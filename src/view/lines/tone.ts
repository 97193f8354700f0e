/** What a piece of text means; a colour only repeats what the words already say. */
export type Tone = 'good' | 'bad' | 'warn' | 'dim' | 'strong' | 'plain';
