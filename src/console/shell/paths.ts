/** The address of every page, as the node serves and the router reads them. */
export const PATHS = { home: '/', login: '/login', desk: '/desk', me: '/me' } as const
