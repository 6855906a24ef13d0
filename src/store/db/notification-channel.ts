/** The channel of LISTEN/NOTIFY; the payload is a `DatabaseNotification` (ports/dialer-repository). */
export const NEWS_CHANNEL = 'switchboard_news'
