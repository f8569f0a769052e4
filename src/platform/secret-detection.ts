/** Names of fields with secrets. */
const NAME =
  /pass(word|wd|phrase|code)?\b|passwd|password|secret|token|api[-_ ]?key|private[-_ ]?key|access[-_ ]?key|credential|authorization|bearer|session|cookie|signature|\botp\b|\bpin\b|\bcvv\b|card[-_ ]?number|\biban\b|\bssn\b/i
/** Prefixes of keys and tokens. */
const VALUE =
  /^(eyJ[\w-]{8,}|sk[-_]|pk[-_]|rk_|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|AKIA|ASIA|AIza|ya29\.|SG\.|shp(at|ca|pa)_|o?ak_[0-9A-Za-z]{26}|Bearer\s|Basic\s|Token\s|-----BEGIN)/i
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NAMED = new RegExp(`(?:${NAME.source})[^.]{0,20}?(?:\\bis\\b|[:=])\\s*\\S{4}|\\bbearer\\s+\\S{8}`, 'i')

export const isSecretName = (name: string): boolean => NAME.test(name.replace(/([a-z])([A-Z])/g, '$1_$2'))

/** Whether a value may be a key. Such a value is never used as an example. */
export const looksSecret = (value: string): boolean =>
  VALUE.test(value.trim()) ||
  (/^[\w+/=.-]{24,}$/.test(value) &&
    /\d/.test(value) &&
    /[a-z]/i.test(value) &&
    !UUID.test(value) &&
    !/^\d{4}-\d\d-\d\d/.test(value))

/**
 * Whether a sentence contains a credential: a word with the prefix of a known key, or the name of a
 * credential followed by a value. Long ids alone do not count: documents contain them too.
 */
export const containsSecret = (sentence: string): boolean =>
  NAMED.test(sentence) || sentence.split(/[\s"'`,;()<>=]+/).some((word) => VALUE.test(word))
