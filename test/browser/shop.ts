export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#5a3fd6" d="M4 7h16l-1.4 ' +
  '13H5.4zM8 7a4 4 0 0 1 8 0h-2a2 2 0 0 0-4 0z"/></svg>'

/** Fields of a connection: one with a fixed beginning and end, one with choices, and the key. */
export const SHOP_FIELDS = [
  {
    name: 'subdomain',
    display_name: 'Subdomain',
    description: 'The first part of the address of your shop.',
    prefix: 'https://',
    suffix: '.shop.example',
    pattern: '^[a-z-]+$',
    example: 'acme',
  },
  {
    name: 'region',
    display_name: 'Region',
    description: 'Where your shop is. You find it under Settings, General.',
    enum: ['Europe', 'United States'],
  },
  {
    name: 'generic_api_key',
    display_name: 'API key',
    description: 'Create one under Settings, Developers, API keys.',
    secret: true,
  },
]
