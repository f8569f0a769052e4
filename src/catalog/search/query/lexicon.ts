import { stem } from './tokens.ts'

// Words that people and vendors use for the same thing. A word of a query brings in the others of its groups
// at less weight. General English and the usual words of APIs only: what one application calls something
// belongs to that toolkit.

/** What a tool does. A word may be in several classes. */
export const VERBS: Readonly<Record<string, string>> = {
  read:
    'get fetch read retrieve view see show display lookup load obtain check inspect describe tell give ' +
    'know find access return',
  list: 'list enumerate browse show all fetch get retrieve see view index',
  search: 'search find query locate lookup look filter discover match seek',
  create:
    'create add make new insert generate build set register open start post put save write compose place ' +
    'setup record establish raise log submit publish upload import book schedule invite prepare ' +
    'provision spin',
  send:
    'send post deliver publish message notify email mail text share forward reply respond broadcast tell ' +
    'dispatch transmit',
  update:
    'update edit modify change rename set patch adjust alter revise replace move append put mark ' +
    'configure amend correct switch turn',
  delete:
    'delete remove erase discard trash destroy drop clear purge cancel unassign revoke unsubscribe take ' +
    'rid detach wipe',
  run: 'run execute trigger start launch invoke perform call process kick activate enable',
  stop: 'stop cancel abort halt end terminate pause disable close deactivate suspend shut kill',
  compute:
    'calculate compute determine evaluate estimate convert solve analyze count predict compare measure find',
}

/** Classes that do much the same; agreement between them counts in part. */
export const NEAR: readonly (readonly [string, string, number])[] = [
  ['read', 'list', 0.7],
  ['read', 'search', 0.7],
  ['list', 'search', 0.7],
  ['read', 'compute', 0.5],
  ['create', 'send', 0.6],
  ['create', 'run', 0.4],
  ['create', 'update', 0.1],
  ['send', 'run', 0.2],
  ['delete', 'stop', 0.6],
  ['update', 'stop', 0.2],
  ['update', 'run', 0.1],
  ['compute', 'run', 0.3],
  ['compute', 'create', 0.1],
  ['search', 'compute', 0.4],
]

export const VERB_GROUPS = [
  'get fetch read retrieve obtain',
  'view see show display',
  'list enumerate browse',
  'create make generate',
  'add insert append',
  'delete remove erase destroy discard trash',
  'update edit modify change alter patch',
  'rename retitle',
  'send deliver transmit dispatch',
  'search find query lookup locate',
  'reply respond answer',
  'upload attach import',
  'download export save',
  'run execute trigger launch invoke',
  'start begin launch',
  'stop cancel abort halt terminate',
  'close resolve finish complete',
  'invite add',
  'copy duplicate clone replicate fork',
  'assign allocate delegate',
  'schedule book plan reserve',
  'share send grant',
  'approve accept confirm',
  'reject decline deny refuse',
  'calculate compute determine',
  'convert transform translate',
  'merge combine join',
  'subscribe follow watch',
  'archive close',
  'publish release post',
  'move transfer relocate',
  'block ban',
  'verify validate check',
  'pay charge bill',
  'refund reimburse',
  'star favorite bookmark like',
]

/** As often nouns or adjectives, after a comma as well. */
const NOT_IMPERATIVE: ReadonlySet<string> = new Set(
  'access all book bill email index lookup message mail open register return set text view query like'.split(
    ' ',
  ),
)

/** Verbs that begin a clause and are in no class. */
export const FURTHER_IMPERATIVES =
  'ask warn remind leave fill enter greet attach connect pick choose drop stick hang hand pass bring keep let ' +
  'extract summarize summarise flag tick pin unpin react empty sort split lock unlock rerun retry restart deploy fix ' +
  'sign ship thank congratulate welcome say drag hide lower increase decrease reduce wait inform deny quote'

const NOUN_GROUPS = [
  'message dm chat text',
  'email mail',
  'user member person people',
  'customer client buyer',
  'issue ticket bug',
  'task todo item',
  'comment note remark',
  'repository repo project',
  'pull merge pr',
  'file document attachment',
  'page document doc article',
  'channel room conversation',
  'thread discussion conversation',
  'calendar schedule agenda diary',
  'event meeting appointment',
  'meeting call conference',
  'label tag',
  'folder directory',
  'reaction emoji',
  'database table',
  'table spreadsheet sheet',
  'record row entry line',
  'story news article headline',
  'workflow flow pipeline automation',
  'image picture photo',
  'video clip movie film',
  'audio sound voice recording',
  'song track music tune',
  'invoice bill',
  'payment charge transaction',
  'price cost rate fee',
  'product item goods',
  'order purchase',
  'server machine instance vm',
  'deployment deploy release',
  'build job run',
  'company organization business firm',
  'contact lead person',
  'deal opportunity',
  'caption subtitle',
  'bin trash',
  'poll vote',
  'voice audio',
  'employee staff worker colleague teammate',
  'weather forecast temperature climate',
  'address location place',
  'city town',
  'country nation',
  'job position vacancy career',
  'team group squad',
  'phone mobile cell telephone',
  'sms text',
  'website site page',
  'url link',
  'picture avatar',
  'account profile user',
  'stock share equity',
  'crypto cryptocurrency coin bitcoin',
  'currency money exchange',
  'recipe meal dish food',
  'hotel accommodation lodging',
  'flight airline plane',
  'movie film',
  'game match',
  'quote saying quotation',
  'definition meaning',
  'synonym thesaurus',
  'password credential secret',
  'statistics stats metrics analytics',
  'summary overview digest',
  'survey form questionnaire',
  'milestone goal',
  'sprint iteration',
  'card task',
  'status state',
  'time date',
  'availability free busy',
  'queue list',
]

const groups = [...VERB_GROUPS, ...NOUN_GROUPS].map((group) => group.split(' ').map(stem))
const others = new Map<string, readonly string[]>()
for (const word of new Set(groups.flat()))
  others.set(
    word,
    [...new Set(groups.filter((group) => group.includes(word)).flat())].filter((other) => other !== word),
  )

/** Other words for a stem, or none. */
export const synonymsOf = (word: string): readonly string[] => others.get(word) ?? []

const CLASSES = Object.keys(VERBS)
const classOf = new Map<string, number>()
CLASSES.forEach((name, bit) => {
  for (const word of VERBS[name]!.split(' '))
    classOf.set(stem(word), (classOf.get(stem(word)) ?? 0) | (1 << bit))
})

/** Whether the lexicon has a stem, as a verb or in a group. */
export const isLexiconWord = (word: string): boolean => others.has(word) || classOf.has(word)

/** The classes of a stem as bits, 0 when it is no verb of the lexicon. */
export const verbsOf = (word: string): number => classOf.get(word) ?? 0

const IMPERATIVES = new Set(
  [...Object.values(VERBS), ...VERB_GROUPS, FURTHER_IMPERATIVES]
    .join(' ')
    .split(' ')
    .filter((word) => !NOT_IMPERATIVE.has(word)),
)

/** Whether a word, as it is written, begins a clause that asks for something. */
export const isImperative = (word: string): boolean => IMPERATIVES.has(word.toLowerCase())

/** The bits of classes by name. */
export const verbBits = (...names: readonly string[]): number =>
  names.reduce((bits, name) => bits | (1 << CLASSES.indexOf(name)), 0)

/** Classes that change something, and those that may be meant by nearly any request. */
export const STRONG_VERBS = verbBits('create', 'send', 'update', 'delete')
export const MILD_VERBS = verbBits('read', 'list', 'search', 'run', 'stop', 'compute')

const near = CLASSES.map((one) =>
  CLASSES.map((other) =>
    one === other
      ? 1
      : (NEAR.find(([a, b]) => (a === one && b === other) || (a === other && b === one))?.[2] ?? -1),
  ),
)

/**
 * How well what is asked and what a tool does agree: 1 the same, −1 something else, 0 when either is not
 * known.
 */
export function agreement(asked: number, does: number): number {
  if (asked === 0 || does === 0) return 0
  let best = -1
  for (let one = 0; one < CLASSES.length; one++) {
    if (!(asked & (1 << one))) continue
    for (let other = 0; other < CLASSES.length; other++)
      if (does & (1 << other) && near[one]![other]! > best) best = near[one]![other]!
  }
  return best
}
