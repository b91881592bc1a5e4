// SPDX-License-Identifier: Apache-2.0
// XML with places, what is mended and what is refused, and the account's four lists.
#include "hf_test.h"

#include <string.h>

#include "robots/account.h"
#include "robots/xml.h"

static void test_places_of_elements_and_attributes(void **state)
{
    (void)state;
    static const char text[] = "<?xml version='1.0'?>\n"
                               "<!-- a -- comment\n of two lines -->\n"
                               "<a one='1'\n   two = \"2 > 1\">\n"
                               "  some <b/> text\n"
                               "  <c:d x=''/>\n"
                               "</a>\n";
    hf_xml xml = {0};
    hf_error error = {0};
    hf_xml_element *a = hf_xml_parse(&xml, text, strlen(text), "t.xml", &error);
    assert_non_null(a);
    assert_string_equal(a->name, "a");
    assert_int_equal(a->line, 4);
    assert_int_equal(a->column, 1);
    hf_xml_attribute *two = hf_xml_get(a, "two");
    assert_string_equal(two->value, "2 > 1");
    assert_int_equal(two->line, 5);
    assert_int_equal(two->column, 4);
    assert_int_equal(hf_xml_get(a, "one")->column, 4);
    assert_string_equal(a->text, "some  text");
    hf_xml_element *d = hf_xml_child(a, "c:d");
    assert_int_equal(d->line, 7);
    assert_int_equal(hf_xml_get(d, "x")->column, 8);
    assert_int_equal(xml.element_count, 3);
    assert_int_equal(xml.attribute_count, 3);
    hf_xml_free(&xml);
}

static void test_a_late_declaration_is_mended(void **state)
{
    (void)state;
    static const char text[] = "<!-- licence --> \n<?xml version=\"1.0\"?>\n<a/>";
    hf_xml xml = {0};
    hf_error error = {0};
    hf_xml_element *a = hf_xml_parse(&xml, text, strlen(text), "t.xml", &error);
    assert_non_null(a);
    assert_int_equal(a->line, 3);
    hf_xml_free(&xml);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "t.xml:1:1: a document type"},
        {"<a>\n <!-- no end", "t.xml:2:2: this comment has no end"},
        {"<a>\n<b></a>", "t.xml:2:"},
        {"", "t.xml:1:1: the file has no element"},
        {"<a>&c;</a>", "t.xml:1:4: undefined entity"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_xml xml = {0};
        hf_error error = {0};
        assert_null(hf_xml_parse(&xml, cases[i].text, strlen(cases[i].text), "t.xml", &error));
        if (strncmp(error.text, cases[i].message, strlen(cases[i].message)) != 0) {
            fail_msg("got '%s', want '%s...'", error.text, cases[i].message);
        }
        hf_xml_free(&xml);
    }
    char deep[6 * 201 + 1] = "";
    for (int i = 0; i < 201; ++i) {
        strcat(deep, "<a>");
    }
    hf_xml xml = {0};
    hf_error error = {0};
    assert_null(hf_xml_parse(&xml, deep, strlen(deep), "t.xml", &error));
    assert_non_null(strstr(error.text, "deeper than 200 levels"));
    hf_xml_free(&xml);
}

// What nobody marked and no rule knows is not represented; the counts add up.
static void test_nothing_is_dropped_from_the_account(void **state)
{
    (void)state;
    static const char text[] = "<a x='1' y='2'><b z='3'/><c><d w='4'/></c><e u='5'/></a>";
    static const hf_account_rule rules[] = {
        {"a/c/**", "*", HF_FATE_SEEN, "shown"},
        {"b", NULL, HF_FATE_TAKEN, NULL},
        {"a/b", "z", HF_FATE_OTHERWISE, "so"},
    };
    hf_xml xml = {0};
    hf_error error = {0};
    hf_account account;
    hf_xml_element *a = hf_xml_parse(&xml, text, strlen(text), "t.xml", &error);
    hf_xml_mark_element(a, HF_FATE_TAKEN, NULL);
    hf_xml_mark(hf_xml_get(a, "x"), HF_FATE_TAKEN, NULL);
    hf_xml_mark(hf_xml_get(a, "x"), HF_FATE_SEEN, "a lower word does not count");
    hf_account_close(&xml, rules, 3);
    assert_true(hf_account_make(&xml, &account));
    assert_int_equal(account.elements, 5);
    assert_int_equal(account.attributes, 5);
    assert_int_equal(account.counts[HF_FATE_NONE], 0);
    assert_int_equal(account.counts[HF_FATE_TAKEN], 3);     // a, x, b
    assert_int_equal(account.counts[HF_FATE_OTHERWISE], 1); // z
    assert_int_equal(account.counts[HF_FATE_SEEN], 3);      // c, d, w
    assert_int_equal(account.counts[HF_FATE_MISSING], 3);   // y, e, u
    assert_string_equal(account.items[2].attribute, "y");
    assert_int_equal(account.items[2].fate, HF_FATE_MISSING);
    assert_int_equal(account.items[2].column, 10);
    hf_xml_free(&xml);
}

static void test_numbers(void **state)
{
    (void)state;
    double n[3] = {0};
    assert_int_equal(hf_xml_numbers(" 1 +2.5\n-3e-2 ", 3, 3, n), 3);
    assert_true(n[0] == 1.0 && n[1] == 2.5 && n[2] == -3e-2);
    assert_int_equal(hf_xml_numbers("1 2 3 4", 1, 3, n), -1);
    assert_int_equal(hf_xml_numbers("1", 2, 3, n), -1);
    assert_int_equal(hf_xml_numbers("1 nan", 1, 3, n), -1);
    assert_int_equal(hf_xml_numbers("1 0x10", 1, 3, n), -1);
    assert_int_equal(hf_xml_numbers("", 0, 3, n), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_of_elements_and_attributes),
        cmocka_unit_test(test_a_late_declaration_is_mended),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_nothing_is_dropped_from_the_account),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
