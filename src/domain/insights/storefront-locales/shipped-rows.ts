/**
 * Storefronts and locales as of September 2026, separated by `;`: the country, the locale, the
 * role in Apple's table, the confidence, the sources that say that searches of the storefront find
 * the locale's words, those that have the storefront without it, and the month in which Apple added
 * the row. `notes` are tables that practitioners published without a tool.
 */
export const shippedRows = `
ae en-GB primary medium - aso-light -;ae ar-SA secondary medium aso-light - -
ae en-US - low aso-light notes -;af en-GB primary documented - - -
ag en-GB primary high outrank - -;ai en-GB primary high outrank - -
al en-GB primary documented - - -;am en-GB primary high outrank - -
ao en-GB primary high outrank - -;ar es-MX primary high aso-light+outrank - -
ar en-GB secondary medium outrank aso-light -;ar en-US - low aso-light outrank -
at de-DE primary high aso-light+notes+outrank - -
at en-GB secondary medium notes+outrank aso-light -;at en-US - low aso-light notes+outrank -
au en-AU primary high aso-light+outrank - -;au en-GB secondary medium outrank aso-light -
au en-US - low aso-light outrank -;az en-GB primary high outrank - -
ba en-GB primary documented - - -;ba hr secondary documented - - -
bb en-GB primary high outrank - -;be en-GB primary medium notes+outrank aso-light -
be fr-FR secondary high aso-light+notes+outrank - -
be nl-NL secondary high aso-light+notes+outrank - -;be en-US - low aso-light notes+outrank -
bf en-GB primary high outrank - -;bf fr-FR secondary high outrank - -
bg en-GB primary high outrank - -;bh en-GB primary medium - - -;bh ar-SA secondary medium - - -
bj en-GB primary high outrank - -;bj fr-FR secondary high outrank - -
bm en-GB primary high outrank - -;bn en-GB primary high outrank - -
bo es-MX primary high outrank - -;bo en-GB secondary high outrank - -
br pt-BR primary high aso-light+notes+outrank - -
br en-GB secondary medium notes+outrank aso-light -;br en-US - low aso-light notes+outrank -
br es-MX - low aso-light notes+outrank -;bs en-GB primary high outrank - -
bt en-GB primary high outrank - -;bw en-GB primary high outrank - -
by en-GB primary high outrank - -;bz en-GB primary medium - - -;bz es-MX secondary medium - - -
ca en-CA primary high aso-light+notes+outrank - -
ca fr-CA secondary high aso-light+notes+outrank - -;ca en-US - low aso-light notes+outrank -
cd en-GB primary documented - - -;cd fr-FR secondary documented - - -
cg en-GB primary documented - - -;cg fr-FR secondary documented - - -
ch de-DE primary high aso-light+notes - -;ch en-GB secondary medium notes aso-light -
ch fr-FR secondary high aso-light+notes - -;ch it secondary high aso-light+notes - -
ch en-US - low aso-light notes -;ci fr-FR primary documented - - -
ci en-GB secondary documented - - -;cl es-MX primary high aso-light+outrank - -
cl en-GB secondary medium outrank aso-light -;cl en-US - low aso-light outrank -
cm fr-FR primary documented - - -;cm en-GB secondary documented - - -
cn zh-Hans primary high aso-light+notes+outrank - -
cn en-GB secondary medium notes+outrank aso-light -;cn en-US - low aso-light notes+outrank -
co es-MX primary high aso-light+outrank - -;co en-GB secondary medium outrank aso-light -
co en-US - low aso-light outrank -;cr es-MX primary high outrank - -
cr en-GB secondary high outrank - -;cv en-GB primary high outrank - -
cy en-GB primary high notes - -;cy el secondary high notes - -;cy tr secondary high notes - -
cz en-GB primary medium - aso-light -;cz cs secondary high aso-light - -
cz en-US - low aso-light - -;de de-DE primary high aso-light+notes - -
de en-GB secondary medium notes aso-light -;de en-US - low aso-light notes -
dk en-GB primary medium notes aso-light -;dk da secondary medium aso-light+notes - -
dk en-US - low aso-light notes -;dm en-GB primary documented - - -
do es-MX primary documented - - -;do en-GB secondary documented - - -
dz en-GB primary medium - - -;dz ar-SA secondary medium - - -;dz fr-FR secondary high outrank - -
ec es-MX primary documented - - -;ec en-GB secondary documented - - -
ee en-GB primary documented - - -;eg en-GB primary medium - aso-light -
eg ar-SA secondary medium aso-light - -;eg fr-FR secondary medium notes aso-light -
eg en-US - low aso-light notes -;es es-ES primary high aso-light+notes - -
es ca secondary medium notes aso-light -;es en-GB secondary medium notes aso-light -
es en-US - low aso-light notes -;fi en-GB primary medium notes aso-light -
fi fi secondary medium aso-light+notes - -;fi en-US - low aso-light notes -
fj en-GB primary documented - - -;fm en-GB primary documented - - -
fr fr-FR primary high aso-light+notes - -;fr en-GB secondary medium notes aso-light -
fr de-DE - low notes aso-light -;fr en-US - low aso-light notes -;fr it - low notes aso-light -
ga fr-FR primary documented - - -;ga en-GB secondary documented - - -
gb en-GB primary high aso-light+aso.dev+notes+outrank - -
gb en-AU - low notes+outrank aso-light+aso.dev -;gb en-US - low aso-light aso.dev+notes+outrank -
gd en-GB primary documented - - -;ge en-GB primary documented - - -
gh en-GB primary documented - - -;gm en-GB primary documented - - -
gr en-GB primary medium - aso-light -;gr el secondary high aso-light - -
gr en-US - low aso-light - -;gt es-MX primary documented - - -;gt en-GB secondary documented - - -
gw en-GB primary documented - - -;gw fr-FR secondary documented - - -
gy en-GB primary documented - - -;gy fr-FR secondary documented - - -
hk zh-Hant primary high aso-light+notes - -;hk en-GB secondary medium notes aso-light -
hk en-US - low aso-light notes -;hk yue - low notes aso-light -;hn es-MX primary documented - - -
hn en-GB secondary documented - - -;hr en-GB primary documented - - -
hr hr secondary documented - - -;hu en-GB primary medium - aso-light -
hu hu secondary high aso-light - -;hu en-US - low aso-light - -
id en-GB primary medium - aso-light -;id id secondary high aso-light - -
id en-US - low aso-light - -;ie en-GB primary high aso-light+notes - -
ie en-US - low aso-light notes -;il en-GB primary medium - aso-light -
il he secondary medium aso-light - -;il en-US - low aso-light notes -
in en-GB primary medium - aso-light -;in bn-BD secondary medium - aso-light+notes 2026-03
in gu-IN secondary medium - aso-light+notes 2026-03;in hi secondary medium aso-light - -
in kn-IN secondary medium - aso-light+notes 2026-03
in ml-IN secondary medium - aso-light+notes 2026-03
in mr-IN secondary medium - aso-light+notes 2026-03
in or-IN secondary medium - aso-light+notes 2026-03
in pa-IN secondary medium - aso-light+notes 2026-03
in ta-IN secondary medium - aso-light+notes 2026-03
in te-IN secondary medium - aso-light+notes 2026-03
in ur-PK secondary medium - aso-light+notes 2026-03;in en-US - low aso-light notes -
iq en-GB primary documented - - -;iq ar-SA secondary documented - - -
is en-GB primary documented - - -;it it primary high aso-light+notes - -
it en-GB secondary medium notes aso-light -;it en-US - low aso-light notes -
jm en-GB primary documented - - -;jo en-GB primary documented - - -
jo ar-SA secondary documented - - -;jp ja primary high aso-light+notes - -
jp en-US secondary high aso-light+notes - -;ke en-GB primary documented - - -
kg en-GB primary documented - - -;kh en-GB primary high outrank - -
kh fr-FR secondary high outrank - -;kn en-GB primary documented - - -
kr ko primary high aso-light+notes - -;kr en-GB secondary medium notes aso-light -
kr en-US - low aso-light notes -;kw en-GB primary documented - - -
kw ar-SA secondary documented - - -;ky en-GB primary high outrank - -
kz en-GB primary documented - - -;la en-GB primary documented - - -
la fr-FR secondary documented - - -;lb en-GB primary medium - - -;lb ar-SA secondary medium - - -
lb fr-FR secondary high notes - -;lc en-GB primary documented - - -
lk en-GB primary documented - - -;lr en-GB primary documented - - -
lt en-GB primary documented - - -;lu en-GB primary documented - - -
lu de-DE secondary documented - - -;lu fr-FR secondary documented - - -
lv en-GB primary documented - - -;ly en-GB primary documented - - -
ly ar-SA secondary documented - - -;ma en-GB primary documented - - -
ma ar-SA secondary documented - - -;ma fr-FR secondary documented - - -
md en-GB primary documented - - -;me en-GB primary documented - - -
me hr secondary documented - - -;mg en-GB primary documented - - -
mg fr-FR secondary documented - - -;mk en-GB primary documented - - -
ml en-GB primary documented - - -;ml fr-FR secondary documented - - -
mm en-GB primary documented - - -;mn en-GB primary documented - - -
mo zh-Hant primary documented - - -;mo en-GB secondary documented - - -
mr en-GB primary documented - - -;mr ar-SA secondary documented - - -
mr fr-FR secondary documented - - -;ms en-GB primary documented - - -
mt en-GB primary documented - - -;mu en-GB primary documented - - -
mu fr-FR secondary documented - - -;mv en-GB primary documented - - -
mw en-GB primary documented - - -;mx es-MX primary high aso-light+notes - -
mx en-GB secondary medium notes aso-light -;mx en-US - low aso-light notes -
my en-GB primary medium - aso-light -;my ms secondary high aso-light - -
my en-US - low aso-light - -;my zh-Hans - low aso-light - -;mz en-GB primary documented - - -
na en-GB primary documented - - -;ne en-GB primary documented - - -
ne fr-FR secondary documented - - -;ng en-GB primary medium - aso-light -
ng en-US - low aso-light - -;ni es-MX primary documented - - -;ni en-GB secondary documented - - -
nl nl-NL primary high aso-light+notes - -;nl en-GB secondary medium notes aso-light -
nl en-US - low aso-light notes -;no en-GB primary medium - aso-light -
no no secondary medium aso-light - -;no en-US - low aso-light notes -
np en-GB primary documented - - -;nr en-GB primary documented - - -
nz en-AU primary high aso-light - -;nz en-GB secondary medium - aso-light -
nz en-US - low aso-light - -;om en-GB primary documented - - -;om ar-SA secondary documented - - -
pa es-MX primary documented - - -;pa en-GB secondary documented - - -
pe es-MX primary high aso-light - -;pe en-GB secondary medium - aso-light -
pe en-US - low aso-light - -;pg en-GB primary documented - - -
ph en-GB primary medium - aso-light -;ph en-US - low aso-light - -
pk en-GB primary documented - - -;pk ur-PK secondary medium - - 2026-03
pl en-GB primary medium - aso-light -;pl pl secondary medium aso-light - -
pl en-US - low aso-light notes -;pt pt-PT primary high aso-light+notes - -
pt en-GB secondary medium notes aso-light -;pt en-US - low aso-light notes -
pw en-GB primary documented - - -;py es-MX primary documented - - -
py en-GB secondary documented - - -;qa en-GB primary documented - - -
qa ar-SA secondary documented - - -;ro en-GB primary medium - aso-light -
ro ro secondary high aso-light - -;ro en-US - low aso-light - -;rs en-GB primary documented - - -
rs hr secondary documented - - -;ru ru primary high aso-light+notes - -
ru en-GB secondary medium notes aso-light -;ru uk secondary medium notes aso-light -
ru en-US - low aso-light notes -;rw en-GB primary documented - - -
rw fr-FR secondary documented - - -;sa en-GB primary medium - aso-light -
sa ar-SA secondary medium aso-light - -;sa en-US - low aso-light notes -
sb en-GB primary documented - - -;sc en-GB primary documented - - -
sc fr-FR secondary documented - - -;se sv primary high aso-light+notes - -
se en-GB secondary medium notes aso-light -;se en-US - low aso-light notes -
sg en-GB primary medium - aso-light -;sg zh-Hans secondary high aso-light - -
sg en-US - low aso-light - -;si en-GB primary documented - - -
si sl-SI secondary medium - - 2026-03;sk en-GB primary documented - - -
sk sk secondary documented - - -;sl en-GB primary documented - - -
sn en-GB primary documented - - -;sn fr-FR secondary documented - - -
sr en-GB primary documented - - -;sr nl-NL secondary documented - - -
st en-GB primary documented - - -;sv es-MX primary documented - - -
sv en-GB secondary documented - - -;sz en-GB primary documented - - -
tc en-GB primary documented - - -;td en-GB primary high outrank - -
td fr-FR secondary high outrank - -;td ar-SA - low outrank - -
th en-GB primary medium - aso-light -;th th secondary high aso-light - -
th en-US - low aso-light - -;tj en-GB primary documented - - -;tm en-GB primary documented - - -
tn en-GB primary documented - - -;tn ar-SA secondary documented - - -
tn fr-FR secondary documented - - -;to en-GB primary documented - - -
tr en-GB primary medium - aso-light -;tr tr secondary medium aso-light - -
tr en-US - low aso-light notes -;tr fr-FR - low notes aso-light -
tt en-GB primary documented - - -;tt fr-FR secondary documented - - -
tw zh-Hant primary high aso-light+notes - -;tw en-GB secondary medium notes aso-light -
tw en-US - low aso-light notes -;tz en-GB primary documented - - -
ua en-GB primary medium - aso-light -;ua ru secondary high aso-light+notes - -
ua uk secondary medium aso-light - -;ua en-US - low aso-light notes -
ug en-GB primary documented - - -;us en-US primary high aso-light+aso.dev+notes+outrank - -
us ar-SA secondary medium aso-light+aso.dev+notes+outrank - -
us es-MX secondary high aso-light+aso.dev+notes+outrank - -
us fr-FR secondary medium aso-light+aso.dev+notes+outrank - -
us ko secondary medium aso-light+aso.dev+notes+outrank - -
us pt-BR secondary medium aso-light+aso.dev+notes+outrank - -
us ru secondary medium aso-light+aso.dev+notes+outrank - -
us vi secondary medium aso-light+aso.dev+notes+outrank - -
us zh-Hans secondary medium aso-light+aso.dev+notes+outrank - -
us zh-Hant secondary medium aso-light+aso.dev+notes+outrank - -;uy en-GB primary documented - - -
uy es-MX secondary documented - - -;uz en-GB primary documented - - -
vc en-GB primary documented - - -;ve es-MX primary documented - - -
ve en-GB secondary documented - - -;vg en-GB primary documented - - -
vn en-GB primary medium - aso-light -;vn vi secondary high aso-light - -
vn en-US - low aso-light - -;vu en-GB primary documented - - -;vu fr-FR secondary documented - - -
xk en-GB primary documented - - -;ye en-GB primary documented - - -
ye ar-SA secondary documented - - -;za en-GB primary medium - aso-light -
za en-US - low aso-light - -;zm en-GB primary documented - - -;zw en-GB primary documented - - -
`;
