export * from './client-grants.ts'
export * from './openid-provider.ts'
export * from './sign-in-links.ts'
export * from './tokens.ts'
