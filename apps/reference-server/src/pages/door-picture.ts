import { html, type Html } from '../html.js'

/** An agent in front of a door: what it finds is the plate, what it reads comes through the slot, and there is a bell. */
export const DOOR_PICTURE: Html = html`<svg
  class="door"
  viewBox="0 0 480 400"
  role="img"
  aria-labelledby="door-name"
>
  <title id="door-name">
    An agent in front of a door. It finds the plate, reads what is put out, and rings to ask.
  </title>
  <defs>
    <linearGradient id="brass" x1="0" y1="0" x2="0.25" y2="1">
      <stop class="brass-top" offset="0" />
      <stop class="brass-bottom" offset="1" />
    </linearGradient>
  </defs>
  <rect class="wall" x="176" y="16" width="292" height="354" rx="16" />
  <path
    class="bricks"
    d="M192 60h34M206 84h30M190 132h26M198 204h22M190 276h28M200 318h18M434 66h22M440 118h20M436 290h24M430 330h22M404 44h30M240 40h34"
  />
  <path class="stone" d="M226 352V152a98 98 0 0 1 196 0v200z" />
  <path class="leaf" d="M240 352V152a84 84 0 0 1 168 0v200z" />
  <path class="window" d="M258 152a66 66 0 0 1 132 0z" />
  <path class="bars" d="M258 152h132M324 152V86M324 152l-46-47M324 152l46-47" />
  <rect class="inset" x="260" y="268" width="54" height="68" rx="4" />
  <rect class="inset" x="334" y="268" width="54" height="68" rx="4" />
  <rect class="plate-shadow" x="262" y="175" width="126" height="46" rx="5" />
  <rect x="261" y="172" width="126" height="46" rx="5" fill="url(#brass)" />
  <text class="plate-name" x="324" y="202">Doorplate</text>
  <path class="screws" d="M268 179h.01M380 179h.01M268 211h.01M380 211h.01" />
  <rect class="sheet" x="300" y="229" width="48" height="14" rx="1.5" />
  <path class="lines" d="M306 233.500h36M306 237.500h26" />
  <rect class="slot" x="288" y="240" width="72" height="11" rx="4" />
  <circle class="knob" cx="396" cy="262" r="6" />
  <circle class="bell" cx="444" cy="216" r="13" />
  <circle class="bell-button" cx="444" cy="216" r="6" />
  <rect class="stone" x="204" y="352" width="240" height="16" rx="3" />
  <rect class="stone step" x="186" y="368" width="282" height="18" rx="3" />
  <path class="ground" d="M14 386h454" />
  <g class="agent">
    <path class="limb" d="M66 350v34M96 350v34M114 308l28-14M48 308l-14 26" />
    <path class="limb" d="M81 246v-20" />
    <circle class="lamp" cx="81" cy="221" r="6" />
    <rect class="body" x="48" y="294" width="66" height="62" rx="18" />
    <path class="limb" d="M66 316h30M66 330h18" />
    <rect class="head" x="44" y="246" width="74" height="50" rx="18" />
    <circle class="eye" cx="68" cy="270" r="5" />
    <circle class="eye" cx="95" cy="270" r="5" />
  </g>
  <path class="way way-1" d="M126 262C160 220 200 197 252 195" />
  <path class="way way-2" d="M148 290C190 286 230 258 282 246" />
  <path class="way way-3" d="M90 208C92 90 150 34 260 30C380 26 440 90 444 196" />
  ${number(1, 176, 219)}${number(2, 200, 276)}${number(3, 134, 78)}
</svg>`

function number(value: number, x: number, y: number): Html {
  return html`<g class="number"
    ><circle cx="${x}" cy="${y}" r="13" /><text x="${x}" y="${y + 5}">${value}</text></g
  >`
}
