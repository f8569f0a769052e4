// Values in a request: an issue key, a phone number, a file name. They fill arguments of a tool and say what kind of
// thing is meant, but their parts are no words of the request: `WEB-12` is an issue, and has nothing to do with the
// web.

/** A form of values, and the words that say what they are. */
interface ValueForm {
  readonly form: RegExp
  readonly words: string
}

const FORMS: readonly ValueForm[] = [
  // `MR` alone is a merge request.
  { form: /(?<!\w)(?:Mr|Mrs|Ms|Dr|Prof)\.? (?=\p{Lu})/gu, words: '' },
  { form: /(?<![\w:.])1:1(?![\w:])/g, words: 'meeting' },
  { form: /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}/g, words: '' },
  { form: /(?<![\w/.])\+\d[\d ()./-]{6,18}\d/g, words: 'phone' },
  {
    // Standards and models have the same form, and are no keys of issues.
    form: /(?<![\w/.-])(?!(?:UTF|ISO|SHA|COVID|GPT|RFC|HTTP|MD|AES|MP|PM|USB|TLS|RSA|WEP)-)[A-Z][A-Z0-9]{1,9}-\d{1,6}(?![\w-])/g,
    words: 'issue',
  },
  { form: /(?<![\w/.])[A-Z]{1,3}\d{1,5}:[A-Z]{1,3}\d{1,5}(?!\w)/g, words: 'cell range' },
  { form: /(?<!\S)#(?=[a-z])[\w-]{2,80}/g, words: 'channel' },
  { form: /(?<![\w/.])[a-z]{2,6}_(?=[A-Za-z]*\d)[A-Za-z0-9]{3,40}(?!\w)/g, words: '' },
  {
    form: /(?<!\S)(?:[\w/-]{0,80}\/)?[\w-]{1,80}\.(?:docx?|xlsx?|pptx?|odt|png|jpe?g|gif|txt|zip|mp[34]|mov|heic|key|pages)(?!\w)/gi,
    words: 'file',
  },
]

/** Replaces values of known forms by the words for what they are. */
export function replaceValues(text: string): string {
  let out = text
  for (const { form, words } of FORMS) out = out.replace(form, words)
  return out
}
