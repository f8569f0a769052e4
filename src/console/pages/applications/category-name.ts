import { capitalize } from '../../components/label.ts'

/** Words of categories that are written otherwise than in lower case. */
const WORDS: ReadonlyMap<string, string> = new Map(
  'AI API APIs B2B CDN CMS CRM DevOps DNS ERP Ethereum HR IoT IT LMS NFT PDF QR SaaS SEO SMS'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
)

/** Returns the name of a category as a label. The API returns it in lower case: `ai machine learning`. */
export const categoryName = (name: string): string =>
  capitalize(
    name
      .split(' ')
      .map((word) => WORDS.get(word) ?? word)
      .join(' '),
  )
