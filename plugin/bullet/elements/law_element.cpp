#include <elasto/law_element.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

template class LawElement<SpringDamperLaw>;
template class LawElement<ElastoGapLaw>;
template class LawElement<ElastoBacklashLaw>;
template class LawElement<SpringDamperSeriesLaw>;
template class LawElement<BushingLaw>;
template class LawElement<BumpStopLaw>;
template class LawElement<RopeLaw>;
template class LawElement<FrictionLaw>;

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
