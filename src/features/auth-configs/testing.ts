import { type Catalog, catalogFrom } from '../../catalog/index.ts'
import { sampleSource, sampleTool, sampleToolkit } from '../../catalog/testing.ts'

const release = (version: string) => ({ version, changes: 'x' })
const SUBDOMAIN = {
  name: 'subdomain',
  display_name: 'Store',
  description: 'xyz in xyz.shop.example.',
  pattern: '^[a-z0-9-]+$',
}

export const SHOP_SCHEMES = [
  {
    scheme: 'API_KEY',
    apply: { headers: { 'X-Key': '{generic_api_key}' } },
    fields: { connected_account_initiation: [SUBDOMAIN] },
  },
  {
    scheme: 'OAUTH2',
    authorize: { url: 'https://shop.example/authorize' },
    token: { url: 'https://shop.example/token' },
    scopes: { default: ['orders'], available: ['orders', 'customers'] },
    fields: {
      auth_config_creation: [
        {
          name: 'developer_token',
          display_name: 'Developer token',
          description: 'Of your team.',
          secret: true,
          required: false,
        },
        {
          name: 'tier',
          display_name: 'Tier',
          description: 'Of your plan.',
          required: false,
          enum: ['basic', 'plus'],
        },
      ],
      connected_account_initiation: [SUBDOMAIN],
    },
  },
]

/** `shop` with OAUTH2 and API_KEY and a tool that only its first release has, `mail` with an API key only, `free` without authentication. */
export function exampleCatalog(): Catalog {
  const shop = (releases: object[]) =>
    sampleToolkit({ auth: SHOP_SCHEMES, releases, docs_url: 'https://docs.shop.example' })
  const order = sampleTool({
    slug: 'SHOP_CREATE_ORDER',
    name: 'Create order',
    description: 'Places an order for a customer.',
    effect: 'create',
  })
  return catalogFrom([
    {
      ...sampleSource({}, [sampleTool(), order]),
      toolkit: shop([release('20260301_00'), release('20260115_00')]),
      versions: [
        {
          version: '20260115_00',
          toolkit: shop([release('20260115_00')]),
          tools: { tools: [sampleTool(), sampleTool({ slug: 'SHOP_GONE' })] },
        },
      ],
    },
    {
      slug: 'mail',
      toolkit: sampleToolkit({ slug: 'mail', name: 'Mail' }),
      tools: { tools: [sampleTool({ slug: 'MAIL_READ' })] },
      icon: '<svg/>',
    },
    {
      slug: 'free',
      toolkit: sampleToolkit({
        slug: 'free',
        name: 'Free',
        base_url: 'https://free.example',
        auth: [{ scheme: 'NO_AUTH' }],
      }),
      tools: { tools: [sampleTool({ slug: 'FREE_READ' })] },
      icon: '<svg/>',
    },
  ])
}
