import { randomInt } from 'node:crypto'

const QUALITIES = ['amber', 'brave', 'bright', 'calm', 'clever', 'cosmic', 'crisp', 'eager', 'early', 'epic', 'fair', 'gentle', 'golden', 'grand', 'happy', 'keen', 'kind', 'lively',
  'lucky', 'merry', 'neat', 'noble', 'proud', 'quick', 'quiet', 'rapid', 'ready', 'silver', 'smart', 'solid', 'steady', 'sunny', 'swift', 'tidy', 'vivid', 'warm', 'wise', 'young']
const THINGS = ['anchor', 'aspen', 'badger', 'beacon', 'birch', 'bridge', 'brook', 'canyon', 'cedar', 'comet', 'coral', 'crane', 'delta', 'ember', 'falcon', 'fern', 'finch', 'forest',
  'fox', 'garden', 'harbor', 'hawk', 'heron', 'island', 'lake', 'lantern', 'lark', 'maple', 'meadow', 'otter', 'owl', 'pine', 'plum', 'raven', 'reef', 'river', 'robin', 'sparrow',
  'summit', 'tiger', 'valley', 'willow']

/** Two words that a person can say, e.g. `brave-otter`; for names, never for secrets. */
export const twoWords = (separator: '-' | '_'): string => `${QUALITIES[randomInt(QUALITIES.length)]}${separator}${THINGS[randomInt(THINGS.length)]}`
