/** Words that say nothing about which tool is meant. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be been being but by can cannot could did do does doing ' +
    'each either else for from had has have having he her here hers him his how i if in ' +
    'into is it its itself just kindly let like may me might must my need no nor not now of off on once ' +
    'one only or other our ours out over own please shall she should so some such than that the ' +
    'their them then there these they this those through to too up us use used using very via want wants ' +
    'was isn doesn didn wasn weren aren hasn haven couldn wouldn shouldn we were what when where which while who ' +
    'whom whose why will with would you your'
  ).split(' '),
)
