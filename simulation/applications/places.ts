/** One place of a template text: `{name}`, `{+name}`, `{a||'text'}`, `{name|filter}`, `{name?}`. */
export const PLACE =
  /\{(\+)?(?:[A-Za-z_$][\w.$-]*|'[^']*')(?:\s*\|\|?\s*(?:[A-Za-z_$][\w.$-]*|'[^']*'))*\??\}/
/** Whether the text of a JSON template has an argument in it. */
export const JSON_TEMPLATE = /"\$":|\{\+?[A-Za-z_$']/
