/** The longest time that timers take, in milliseconds; longer ones would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647
