/** Names under which people keep what nobody else may see. */
const NAME =
  /pass(word|wd|phrase|code)?\b|passwd|password|secret|token|api[-_ ]?key|private[-_ ]?key|access[-_ ]?key|credential|authorization|bearer|session|cookie|signature|\botp\b|\bpin\b|\bcvv\b|card[-_ ]?number|\biban\b|\bssn\b/i
/** How keys and tokens begin, and texts that only a machine writes. */
const VALUE =
  /^(eyJ[\w-]{8,}|sk[-_]|pk[-_]|rk_|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|AKIA|ASIA|AIza|ya29\.|SG\.|shp(at|ca|pa)_|Bearer\s|Basic\s|Token\s|-----BEGIN)/i
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NAMED = new RegExp(`(?:${NAME.source})[^.]{0,20}?(?:\\bis\\b|[:=])\\s*\\S{4}|\\bbearer\\s+\\S{8}`, 'i')

export const isSecretName = (name: string): boolean => NAME.test(name.replace(/([a-z])([A-Z])/g, '$1_$2'))

/** A value that may be a key: better no example than somebody's. */
export const looksSecret = (value: string): boolean =>
  VALUE.test(value.trim()) ||
  (/^[\w+/=.-]{24,}$/.test(value) &&
    /\d/.test(value) &&
    /[a-z]/i.test(value) &&
    !UUID.test(value) &&
    !/^\d{4}-\d\d-\d\d/.test(value))

/** Whether a sentence tells a credential: a word that begins as keys of known makers do, or the name of one and then a value. Long ids alone are none: documents have them too. */
export const containsSecret = (sentence: string): boolean =>
  NAMED.test(sentence) || sentence.split(/[\s"'`,;()<>=]+/).some((word) => VALUE.test(word))
