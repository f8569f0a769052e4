/** Words of categories that are written otherwise than in lower case. */
const WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...[
      'AI',
      'API',
      'APIs',
      'B2B',
      'CDN',
      'CRM',
      'DNS',
      'ERP',
      'HR',
      'IT',
      'LMS',
      'NFT',
      'PDF',
      'QR',
      'SEO',
      'SMS',
    ],
    ...['CMS', 'DevOps', 'IoT', 'SaaS', 'Ethereum'],
  ].map((word) => [word.toLowerCase(), word]),
)

/** Returns the name of a category as a label. The API returns it in lower case: `ai machine learning`. */
export function categoryName(name: string): string {
  const text = name
    .split(' ')
    .map((word) => WORDS[word] ?? word)
    .join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
